// Korean synonyms. The wordings on a line mean the same.
export const KOREAN = `
  삭제, 제거, 지우기
  추가, 생성, 만들기
  변경, 수정, 편집
  설정, 구성, 환경설정
  로그인, 접속
  비밀번호, 암호
  이미지, 사진, 그림
  요금, 가격, 비용, 결제, 청구
  오류, 에러, 문제
  권한, 역할
  검색, 찾기
  복원, 되돌리기, 복구
  알림, 통지
  공유, 게시
`
