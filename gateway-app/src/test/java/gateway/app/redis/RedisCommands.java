package gateway.app.redis;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/// Sends one command to a Redis in its own protocol (RESP2) and answers its reply as text, a line for each
/// element.
final class RedisCommands {
    private RedisCommands() {}

    static String send(int port, String... words) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            var request = new StringBuilder("*" + words.length + "\r\n");
            for (String word : words) {
                request.append("$").append(word.length()).append("\r\n");
                request.append(word).append("\r\n");
            }
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
            return reply(new DataInputStream(new BufferedInputStream(socket.getInputStream())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String reply(DataInputStream in) throws IOException {
        String line = line(in);
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', '-', ':' -> rest;
            case '$' -> bulk(in, Integer.parseInt(rest));
            case '*' -> array(in, Integer.parseInt(rest));
            default -> throw new IOException("not a reply: " + line);
        };
    }

    private static String bulk(DataInputStream in, int length) throws IOException {
        if (length < 0) return "";
        byte[] text = new byte[length];
        in.readFully(text);
        in.skipNBytes(2);
        return new String(text, StandardCharsets.UTF_8).strip();
    }

    private static String array(DataInputStream in, int length) throws IOException {
        var elements = new ArrayList<String>();
        for (int i = 0; i < length; i++) elements.add(reply(in));
        return String.join("\n", elements);
    }

    private static String line(DataInputStream in) throws IOException {
        var line = new StringBuilder();
        while (true) {
            char octet = (char) in.readUnsignedByte();
            if (octet == '\n') return line.toString();
            if (octet != '\r') line.append(octet);
        }
    }
}
